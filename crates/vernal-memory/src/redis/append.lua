-- ARGV: time to live or 0, the generation for a new conversation or nothing, then id, body, …
-- Gives 1, or 0 where there is no conversation and no generation.
if not version then
  if ARGV[2] == '' then
    return {0, 0}
  end
  redis.call('HSET', key, 'version', layout, 'generation', ARGV[2])
end
local last = number('last') or 0
if not number('first') then
  redis.call('HSET', key, 'first', exact(last + 1))
end
for i = 3, #ARGV, 2 do
  if redis.call('HEXISTS', key, '@' .. ARGV[i]) == 0 then
    last = last + 1
    put(last, ARGV[i], ARGV[i + 1])
  end
end
redis.call('HSET', key, 'last', exact(last))
keep_alive(ARGV[1])
return {0, 1}
