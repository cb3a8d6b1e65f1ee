/** The console's origin, and its host as the id of the relying party of passkeys. */
export interface Console {
  readonly origin: string
  readonly rpId: string
}

/** Returns the console that is served at the public URL of the gateway. */
export const consoleOf = (publicUrl: string): Console => {
  const { hostname, origin } = new URL(publicUrl)
  return { origin, rpId: hostname }
}
