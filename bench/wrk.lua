-- Requests the paths of a file in turn from a given line on, and prints one line of JSON.
-- wrk -s bench/wrk.lua http://127.0.0.1:3000 -- <file> <first line>

local requests = {}
local position = 0

function init(args)
  for path in io.lines(args[1]) do
    requests[#requests + 1] = wrk.format("GET", path)
  end
  position = tonumber(args[2]) % #requests
end

function request()
  position = position % #requests + 1
  return requests[position]
end

function done(summary, latency)
  local errors = summary.errors
  io.write(string.format(
    '\n{"requests":%d,"microseconds":%d,"p50":%d,"p99":%d,"refused":%d,"failed":%d,"bytes":%d}\n',
    summary.requests, summary.duration, latency:percentile(50), latency:percentile(99),
    errors.status, errors.connect + errors.read + errors.write + errors.timeout, summary.bytes))
end
