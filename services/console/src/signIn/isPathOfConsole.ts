/** Tells whether a value is a path below /console, to which a sign-in may lead. */
export const isPathOfConsole = (value: unknown): value is string => {
  if (typeof value !== "string" || !/^\/(?![/\\])/.test(value)) return false
  const { origin, pathname } = new URL(`/console${value}`, location.origin)
  return origin === location.origin && pathname.startsWith("/console/") && !pathname.startsWith("/console/sign-in")
}
