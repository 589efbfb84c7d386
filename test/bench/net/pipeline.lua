-- wrk: 16 requests at a time.
init = function()
  request_text = string.rep(wrk.format(), 16)
end
request = function()
  return request_text
end
