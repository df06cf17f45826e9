import type Redis from "ioredis";

// Lua scripts of the shared cache (shared-cache.ts), which Redis runs atomically. All state is in one
// hash, so that losing it (FLUSHALL, eviction, restart) invalidates all entries:
//   epoch       random id of the hash, new whenever it is created
//   run         run id of the Redis server that created it: what a later run has restored from disk
//               may be older than the last change
//   seq         number of the last change
//   floor       entries of an earlier number are expired
//   tag:{tag}   number of the last change that concerned the tag
// An entry is a hash, too: the number of the last change that its instance had applied when rendering
// began, its tags, its content. Changes are also entries of a stream, under their numbers.

/** One slot of a cluster, so that a script may use all of them. */
export const STATE = "{shop-cache}:state";
export const CHANGES = "{shop-cache}:changes";
export const entryKey = (name: string) => `{shop-cache}:entry:${name}`;

/** In place of tags: the change concerns everything. */
export const EVERYTHING = "*";

/** Tags in the state at most: with one more, all existing entries count as expired. */
const MOST_TAGS = 100_000;
/** Changes that an instance may miss and still catch up with. */
const KEPT_CHANGES = 10_000;

/** KEYS state, changes; ARGV a new epoch, the last change known or 0. Returns epoch and number. */
const open = `
local run = string.match(redis.call('INFO', 'server'), 'run_id:(%w+)') or ''
local state = redis.call('HMGET', KEYS[1], 'epoch', 'run', 'seq')
if state[1] and state[2] == run then return { state[1], state[3] } end
redis.call('DEL', KEYS[1], KEYS[2])
-- Numbers keep growing, so that instances that wait for the next change receive it.
local time = redis.call('TIME')
local seq = string.format('%.0f', math.max(time[1] * 1000000 + time[2], ARGV[2] + 1))
redis.call('HSET', KEYS[1], 'epoch', ARGV[1], 'run', run, 'seq', seq, 'floor', seq)
return { ARGV[1], seq }`;

/** KEYS state, changes; ARGV epoch, who says so, tags … Returns the number, or nil in another epoch. */
const expire = `
local state = redis.call('HMGET', KEYS[1], 'epoch', 'run')
if state[1] ~= ARGV[1] then return false end
redis.call('HINCRBY', KEYS[1], 'seq', 1)
local seq = redis.call('HGET', KEYS[1], 'seq')
local isEverything = ARGV[3] == '${EVERYTHING}'
if isEverything or redis.call('HLEN', KEYS[1]) + #ARGV > ${MOST_TAGS} then
  redis.call('DEL', KEYS[1])
  redis.call('HSET', KEYS[1], 'epoch', state[1], 'run', state[2], 'seq', seq, 'floor', seq)
end
if not isEverything then
  for i = 3, #ARGV do redis.call('HSET', KEYS[1], 'tag:' .. ARGV[i], seq) end
end
redis.call('XADD', KEYS[2], 'MAXLEN', '~', ${KEPT_CHANGES}, seq .. '-0',
  'by', ARGV[2], 'tags', table.concat(ARGV, ',', 3))
return seq`;

const isExpired = `
local function isExpired(seq, tags)
  if tonumber(seq) < tonumber(redis.call('HGET', KEYS[1], 'floor')) then return true end
  for tag in string.gmatch(tags, '[^,]+') do
    local last = redis.call('HGET', KEYS[1], 'tag:' .. tag)
    if last and tonumber(last) > tonumber(seq) then return true end
  end
  return false
end
if redis.call('HGET', KEYS[1], 'epoch') ~= ARGV[1] then return false end`;

/** KEYS state, entry; ARGV epoch. Returns the content, or nil where there is none that is valid. */
const find = `${isExpired}
local entry = redis.call('HMGET', KEYS[2], 'seq', 'tags', 'content')
if not entry[1] or isExpired(entry[1], entry[2]) then return false end
return entry[3]`;

/** KEYS state, entry; ARGV epoch, number, tags, milliseconds to live, content. */
const keep = `${isExpired}
if isExpired(ARGV[2], ARGV[3]) then return false end
redis.call('HSET', KEYS[2], 'seq', ARGV[2], 'tags', ARGV[3], 'content', ARGV[5])
redis.call('PEXPIRE', KEYS[2], ARGV[4])
return 1`;

/** For the option `scripts` of a client. */
export const SCRIPTS = {
  openCache: { lua: open, numberOfKeys: 2 },
  expireTags: { lua: expire, numberOfKeys: 2 },
  findEntry: { lua: find, numberOfKeys: 2 },
  keepEntry: { lua: keep, numberOfKeys: 2 },
};

export type CacheClient = Redis & {
  openCache(
    state: string,
    changes: string,
    epoch: string,
    known: number,
  ): Promise<[epoch: string, seq: string]>;
  expireTags(
    state: string,
    changes: string,
    epoch: string,
    by: string,
    ...tags: string[]
  ): Promise<string | null>;
  findEntryBuffer(state: string, entry: string, epoch: string): Promise<Buffer | null>;
  keepEntry(
    state: string,
    entry: string,
    epoch: string,
    seq: number,
    tags: string,
    milliseconds: number,
    content: Buffer,
  ): Promise<number | null>;
};
