const longest = 8000

/** True for contents of a file that are somewhere else: an http(s) URL of at most 8,000 characters. */
export const isWebAddress = (data: string): boolean =>
  data.length <= longest && /^https?:\/\//i.test(data) && URL.canParse(data)
