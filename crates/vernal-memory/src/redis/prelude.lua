-- A conversation is a hash: `version` of its layout, `generation`, `first` and `last` number of a
-- message, `#<number>` the message with its id in front, and `@<id>` the message's number.
local key, layout = KEYS[1], 1
local version = redis.call('HGET', key, 'version')
if version and tonumber(version) > layout then
  return {tonumber(version), false}
end
-- A layout below 1 is none: there are no messages. Later layouts bring older ones forward here.

local function number(field)
  return tonumber(redis.call('HGET', key, field) or '')
end

-- Numbers go through a double; this is its exact text.
local function exact(n)
  return string.format('%.0f', n)
end

local function put(n, id, body)
  redis.call('HSET', key, '#' .. exact(n), id .. body, '@' .. id, exact(n))
end

local function remove(n)
  local value = redis.call('HGET', key, '#' .. exact(n))
  if value then
    redis.call('HDEL', key, '#' .. exact(n), '@' .. string.sub(value, 1, 32))
  end
end

local function keep_alive(milliseconds)
  if tonumber(milliseconds) > 0 then
    redis.call('PEXPIRE', key, milliseconds)
  end
end
