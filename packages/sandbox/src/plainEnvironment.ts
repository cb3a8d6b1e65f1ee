// What a program and the machine's resolver, clock, libraries and trust store go by.
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

/** The variables of an environment that any program may have: none of them is a setting or a secret. */
export const plainEnvironment = (
  given: Readonly<Record<string, string | undefined>>
): Readonly<Record<string, string | undefined>> => Object.fromEntries(names.map((name) => [name, given[name]]))
