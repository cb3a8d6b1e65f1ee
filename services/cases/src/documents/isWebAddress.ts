/** True for contents of a file that are somewhere else. */
export const isWebAddress = (data: string): boolean => /^https?:\/\//i.test(data) && URL.canParse(data)
