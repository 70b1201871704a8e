-- wrk: requests all paths of a list in turn, and prints the result as one line of JSON.
--   wrk -t1 -c32 -d5s -s serve.lua URL -- LIST
local requests = {}
local position = 0

function init(args)
  for path in io.lines(args[1]) do
    requests[#requests + 1] = wrk.format("GET", path)
  end
end

function request()
  position = position % #requests + 1
  return requests[position]
end

function done(summary, latency, requests)
  local failed = summary.errors.status + summary.errors.connect + summary.errors.read
    + summary.errors.write + summary.errors.timeout
  io.write(string.format(
    '{"requests_per_s": %.0f, "failed": %d, "median_ms": %.3f, "p95_ms": %.3f, "p99_ms": %.3f, "megabytes_per_s": %.1f}\n',
    summary.requests / summary.duration * 1e6, failed, latency:percentile(50) / 1000, latency:percentile(95) / 1000,
    latency:percentile(99) / 1000, summary.bytes / summary.duration))
end
