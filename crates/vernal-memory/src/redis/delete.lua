-- Gives the generation of the conversation that there was, or nothing.
local generation = redis.call('HGET', key, 'generation')
redis.call('DEL', key)
return {0, generation}
