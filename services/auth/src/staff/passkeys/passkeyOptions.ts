import { randomBytes } from "node:crypto"
import type {
  CreatedCredential,
  OwnStaffSession,
  PasskeyCreation,
  PasskeyRequest,
  UsedCredential
} from "@care/domain/auth"
import { UserId } from "@care/domain/ids"
import type { AuthenticationResponseJSON, RegistrationResponseJSON } from "@simplewebauthn/server"
import { Option, Schema } from "effect"
import type { StoredPasskey } from "./PasskeysRepo.ts"

const timeoutMillis = 300_000

/** Makes a challenge: 32 random bytes in base64url. */
export const makeChallenge = (): string => randomBytes(32).toString("base64url")

const ClientData = Schema.StringFromBase64Url.pipe(
  Schema.decodeTo(Schema.fromJsonString(Schema.Struct({ challenge: Schema.String })))
)
const decodeClientData = Schema.decodeOption(ClientData)

/** Returns the challenge that an authenticator answered, or undefined if its data are unreadable. */
export const challengeIn = (clientDataJSON: string): string | undefined =>
  Option.getOrUndefined(Option.map(decodeClientData(clientDataJSON), ({ challenge }) => challenge))

// A passkey names its user by the bytes of the id.
const handleOf = (userId: UserId) => Buffer.from(userId.replaceAll("-", ""), "hex").toString("base64url")

/** Returns the user whom a passkey names, or undefined. */
export const userIdOf = (userHandle: string): UserId | undefined => {
  const hex = Buffer.from(userHandle, "base64url").toString("hex")
  const text = hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5")
  return Option.getOrUndefined(Schema.decodeOption(UserId)(text))
}

interface Options {
  readonly challenge: string
  readonly rpId: string
  /** The person's passkeys. */
  readonly existing: ReadonlyArray<StoredPasskey>
}

const descriptors = (existing: ReadonlyArray<StoredPasskey>) =>
  existing.map(({ credentialId: id, transports }) => ({ id, type: "public-key" as const, transports }))

// EdDSA, ES256 and RS256, which authenticators have.
export const algorithms = [-8, -7, -257]

export const creationOf = ({
  challenge,
  existing,
  rpId,
  user: { email, firstName, id, lastName }
}: Options & Pick<OwnStaffSession, "user">): PasskeyCreation => ({
  challenge,
  rp: { id: rpId, name: "Partner Care" },
  user: { id: handleOf(id), name: email, displayName: `${firstName} ${lastName}` },
  pubKeyCredParams: algorithms.map((alg) => ({ alg, type: "public-key" })),
  timeout: timeoutMillis,
  attestation: "none",
  excludeCredentials: descriptors(existing),
  authenticatorSelection: { residentKey: "required", requireResidentKey: true, userVerification: "required" }
})

export const requestOf = ({ challenge, existing, rpId }: Options): PasskeyRequest => ({
  challenge,
  rpId,
  timeout: timeoutMillis,
  userVerification: "required",
  allowCredentials: descriptors(existing)
})

/** Returns the answer of an authenticator in the form of the library, which reads no extensions. */
export const creationResponseOf = ({ response, ...credential }: CreatedCredential): RegistrationResponseJSON => {
  const { attestationObject, clientDataJSON, transports } = response
  return {
    ...credential,
    clientExtensionResults: {},
    response: { clientDataJSON, attestationObject, transports: [...(transports ?? [])] }
  }
}

export const useResponseOf = ({ response, ...credential }: UsedCredential): AuthenticationResponseJSON => {
  const { userHandle, ...answer } = response
  return {
    ...credential,
    clientExtensionResults: {},
    response: { ...answer, ...(userHandle != null && { userHandle }) }
  }
}
