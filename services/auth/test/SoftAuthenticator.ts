import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from "node:crypto"
import type { CreatedCredential, PasskeyCreation, PasskeyRequest, UsedCredential } from "@care/domain/auth"

const sha256 = (data: Buffer | string) => createHash("sha256").update(data).digest()

// CBOR: a text and a byte string of up to 65,535 bytes.
const cborText = (text: string) => Buffer.concat([Buffer.from([0x60 + text.length]), Buffer.from(text)])
const cborBytes = (bytes: Buffer) => {
  const head = Buffer.from([0x59, 0, 0])
  head.writeUInt16BE(bytes.length, 1)
  return Buffer.concat([head, bytes])
}

// COSE: an EC2 key of ES256 on P-256.
const coseKey = (publicKey: KeyObject) => {
  const { x = "", y = "" } = publicKey.export({ format: "jwk" })
  const coordinate = (label: number, value: string) =>
    Buffer.concat([Buffer.from([label, 0x58, 0x20]), Buffer.from(value, "base64url")])
  return Buffer.concat([Buffer.from([0xa5, 1, 2, 3, 0x26, 0x20, 1]), coordinate(0x21, x), coordinate(0x22, y)])
}

/** How an authenticator misbehaves. */
interface Changes {
  readonly origin?: string
  /** Another value of the signature counter than the next. */
  readonly counter?: number
  readonly isUserVerified?: boolean
}

const flags = { present: 0x01, verified: 0x04, attested: 0x40 }

/** An authenticator with one passkey, in the place of a person's device. */
export class SoftAuthenticator {
  private readonly keys = generateKeyPairSync("ec", { namedCurve: "P-256" })
  private readonly credentialId = randomBytes(32)
  private readonly origin: string
  private userHandle = ""
  private counter = 0

  constructor(origin: string) {
    this.origin = origin
  }

  /** Makes the passkey, as `navigator.credentials.create` does. */
  create({ challenge, rp, user }: PasskeyCreation, changes: Changes = {}): CreatedCredential {
    this.userHandle = user.id
    const length = Buffer.alloc(2)
    length.writeUInt16BE(this.credentialId.length)
    const attested = Buffer.concat([Buffer.alloc(16), length, this.credentialId, coseKey(this.keys.publicKey)])
    const authData = Buffer.concat([this.authenticatorData(rp.id, flags.attested, changes), attested])
    const attestationObject = Buffer.concat([
      Buffer.from([0xa3]),
      cborText("fmt"),
      cborText("none"),
      cborText("attStmt"),
      Buffer.from([0xa0]),
      cborText("authData"),
      cborBytes(authData)
    ])
    return {
      ...this.credential(),
      response: {
        clientDataJSON: this.clientData("webauthn.create", challenge, changes),
        attestationObject: attestationObject.toString("base64url"),
        transports: ["internal"]
      }
    }
  }

  /** Uses the passkey, as `navigator.credentials.get` does. */
  use({ challenge, rpId }: Pick<PasskeyRequest, "challenge" | "rpId">, changes: Changes = {}): UsedCredential {
    this.counter += 1
    const authenticatorData = this.authenticatorData(rpId, 0, changes)
    const clientDataJSON = this.clientData("webauthn.get", challenge, changes)
    const signed = Buffer.concat([authenticatorData, sha256(Buffer.from(clientDataJSON, "base64url"))])
    return {
      ...this.credential(),
      response: {
        clientDataJSON,
        authenticatorData: authenticatorData.toString("base64url"),
        signature: sign("sha256", signed, this.keys.privateKey).toString("base64url"),
        userHandle: this.userHandle
      }
    }
  }

  private credential() {
    const id = this.credentialId.toString("base64url")
    return { id, rawId: id, type: "public-key" as const }
  }

  private clientData(type: string, challenge: string, { origin = this.origin }: Changes) {
    return Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false })).toString("base64url")
  }

  private authenticatorData(rpId: string, extra: number, { counter = this.counter, isUserVerified = true }: Changes) {
    const count = Buffer.alloc(4)
    count.writeUInt32BE(counter)
    const set = flags.present | extra | (isUserVerified ? flags.verified : 0)
    return Buffer.concat([sha256(rpId), Buffer.from([set]), count])
  }
}
