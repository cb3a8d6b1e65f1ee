import { Schema } from "effect"
import { lengths } from "../http/bounds.ts"
import { atMost, optionalListUpTo } from "../http/listUpTo.ts"
import { textUpTo } from "../http/Text.ts"
import { Timestamp } from "../http/Timestamp.ts"
import { PasskeyId } from "../Ids.ts"

/** A passkey of a member of staff, as they named it. */
export const Passkey = Schema.Struct({
  id: PasskeyId,
  name: Schema.String,
  createdAt: Timestamp,
  lastUsedAt: Schema.NullOr(Timestamp)
}).annotate({ identifier: "Passkey" })
export type Passkey = typeof Passkey.Type

const CredentialDescriptor = Schema.Struct({
  id: Schema.String,
  type: Schema.Literal("public-key"),
  transports: Schema.optionalKey(Schema.Array(Schema.String))
})

/** The options of `navigator.credentials.create` in JSON (WebAuthn, `PublicKeyCredentialCreationOptionsJSON`). */
export const PasskeyCreation = Schema.Struct({
  challenge: Schema.String,
  rp: Schema.Struct({ id: Schema.String, name: Schema.String }),
  user: Schema.Struct({ id: Schema.String, name: Schema.String, displayName: Schema.String }),
  pubKeyCredParams: Schema.Array(Schema.Struct({ alg: Schema.Int, type: Schema.Literal("public-key") })),
  timeout: Schema.Int,
  attestation: Schema.Literal("none"),
  excludeCredentials: Schema.Array(CredentialDescriptor),
  authenticatorSelection: Schema.Struct({
    residentKey: Schema.Literal("required"),
    requireResidentKey: Schema.Literal(true),
    userVerification: Schema.Literal("required")
  })
}).annotate({ identifier: "PasskeyCreation" })
export type PasskeyCreation = typeof PasskeyCreation.Type

/** The options of `navigator.credentials.get` in JSON. `allowCredentials` is empty if the authenticator is to find the passkey. */
export const PasskeyRequest = Schema.Struct({
  challenge: Schema.String,
  rpId: Schema.String,
  timeout: Schema.Int,
  userVerification: Schema.Literal("required"),
  allowCredentials: Schema.Array(CredentialDescriptor)
}).annotate({ identifier: "PasskeyRequest" })
export type PasskeyRequest = typeof PasskeyRequest.Type

const base64Url = textUpTo(lengths.page)

const credential = {
  id: textUpTo(lengths.wording),
  rawId: textUpTo(lengths.wording),
  type: Schema.Literal("public-key")
}

/** The answer of an authenticator that made a passkey (`RegistrationResponseJSON`). */
export const CreatedCredential = Schema.Struct({
  ...credential,
  response: Schema.Struct({
    clientDataJSON: base64Url,
    attestationObject: base64Url,
    transports: optionalListUpTo(textUpTo(lengths.code), atMost("transports"))
  })
}).annotate({ identifier: "CreatedCredential" })
export type CreatedCredential = typeof CreatedCredential.Type

/** The answer of an authenticator that used a passkey (`AuthenticationResponseJSON`). */
export const UsedCredential = Schema.Struct({
  ...credential,
  response: Schema.Struct({
    clientDataJSON: base64Url,
    authenticatorData: base64Url,
    signature: base64Url,
    userHandle: Schema.optional(textUpTo(lengths.reference))
  })
}).annotate({ identifier: "UsedCredential" })
export type UsedCredential = typeof UsedCredential.Type

/**
 * The passkey was not accepted: it is of nobody here, of another person or origin, did not verify its user, is a copy (its signature counter
 * went back), or answers a challenge that is unknown, used, or older than five minutes.
 */
export class PasskeyRejected extends Schema.TaggedError<PasskeyRejected>()("PasskeyRejected", {}) {}

export class PasskeyNotFound extends Schema.TaggedError<PasskeyNotFound>()("PasskeyNotFound", {
  passkeyId: PasskeyId
}) {}

/** It is the person's only passkey. */
export class LastPasskey extends Schema.TaggedError<LastPasskey>()("LastPasskey", {}) {}

/** The person has as many passkeys as may be. */
export class PasskeysFull extends Schema.TaggedError<PasskeysFull>()("PasskeysFull", { limit: Schema.Natural }) {}
