/** The console's origin, its host as the id of the relying party of passkeys, and where OpenID providers send the browser. */
export interface Console {
  readonly origin: string
  readonly rpId: string
  readonly redirectUri: string
}

/** Returns the console that is served at the public URL of the gateway. */
export const consoleOf = (publicUrl: string): Console => {
  const { hostname, origin } = new URL(publicUrl)
  return { origin, rpId: hostname, redirectUri: `${origin}/admin/v1/session/oidc/callback` }
}
