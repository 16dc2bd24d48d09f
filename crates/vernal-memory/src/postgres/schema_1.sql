-- Version 1. `next` is the position of the next message; positions of messages may have gaps.
-- Ids sort by their bytes, whatever language the database sorts by.
CREATE TABLE vernal_conversation (
    number bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY,
    id text COLLATE "C" NOT NULL UNIQUE,
    next bigint NOT NULL
);

-- `body` is the message's JSON, which the server never looks into.
CREATE TABLE vernal_message (
    conversation bigint NOT NULL REFERENCES vernal_conversation (number) ON DELETE CASCADE,
    position bigint NOT NULL,
    id text COLLATE "C" NOT NULL,
    body text NOT NULL,
    PRIMARY KEY (conversation, position),
    UNIQUE (conversation, id)
);
