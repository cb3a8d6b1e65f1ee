// The variables that programs, resolvers, clocks, libraries and trust stores need.
const names = [
  "PATH",
  "HOME",
  "TMPDIR",
  "LANG",
  "LC_ALL",
  "TZ",
  "LD_LIBRARY_PATH",
  "SSL_CERT_FILE",
  "SSL_CERT_DIR",
  "SystemRoot",
  "NODE_OPTIONS",
  "NODE_EXTRA_CA_CERTS",
  "NODE_COMPILE_CACHE"
]

/** Returns the variables that every program may have: neither settings nor secrets. */
export const plainEnvironment = (
  environment: Readonly<Record<string, string | undefined>>
): Readonly<Record<string, string | undefined>> => Object.fromEntries(names.map((name) => [name, environment[name]]))
