-- ARGV: time to live or 0, a token, the id of the last message to replace, then id, body, …
-- Gives 1, or 0 where the conversation has no such message.
if version and redis.call('HGET', key, 'replaced') == ARGV[2] then
  return {0, 1}
end
local through = number('@' .. ARGV[3])
if not through then
  return {0, 0}
end
for n = number('first'), through do
  remove(n)
end
-- A later message that is in the replacement too moves into it.
for i = 4, #ARGV, 2 do
  local later = number('@' .. ARGV[i])
  if later then
    remove(later)
  end
end
-- The numbers up to that of the last replaced message are free, those below zero too.
local at = through - (#ARGV - 3) / 2
redis.call('HSET', key, 'first', exact(at + 1), 'replaced', ARGV[2])
for i = 4, #ARGV, 2 do
  at = at + 1
  put(at, ARGV[i], ARGV[i + 1])
end
keep_alive(ARGV[1])
return {0, 1}
