-- Version 1. `next` is the position of the next message; positions of messages may have gaps.
CREATE TABLE vernal_conversation (
    number INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE COLLATE BINARY,
    next INTEGER NOT NULL
);

-- `body` is the message's JSON, which SQLite never looks into.
CREATE TABLE vernal_message (
    conversation INTEGER NOT NULL REFERENCES vernal_conversation (number) ON DELETE CASCADE,
    position INTEGER NOT NULL,
    id TEXT NOT NULL,
    body TEXT NOT NULL,
    PRIMARY KEY (conversation, position),
    UNIQUE (conversation, id)
) WITHOUT ROWID;
