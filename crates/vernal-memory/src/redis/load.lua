-- ARGV: how many. Gives the newest messages, newest first; numbers may have gaps.
local wanted = ARGV[1] == 'inf' and math.huge or tonumber(ARGV[1])
local first, at = number('first'), number('last')
local found = {}
while first and at >= first and #found < wanted do
  local fields = {}
  local least = math.max(first, at - math.min(wanted - #found, 500) + 1)
  for n = at, least, -1 do
    fields[#fields + 1] = '#' .. exact(n)
  end
  for _, value in ipairs(redis.call('HMGET', key, unpack(fields))) do
    if value then
      found[#found + 1] = value
    end
  end
  at = least - 1
end
return {0, found}
