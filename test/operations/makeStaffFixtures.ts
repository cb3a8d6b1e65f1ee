import { randomUUID } from "node:crypto"
import { setTimeout } from "node:timers/promises"
import { SoftAuthenticator } from "@care/auth/testing"
import { PasskeyCreation, PasskeyRequest } from "@care/domain/auth"
import { keyHash, makeStaffToken } from "@care/service-kit"
import { Schema } from "effect"
import type { Fixtures } from "./Fixtures.ts"
import { issuerUrl } from "./issuer.ts"
import { textAt } from "./textAt.ts"
import type { Query } from "./untilNoJobIsDue.ts"

type StaffFixtures = Pick<
  Fixtures,
  | "createdCredential"
  | "device"
  | "operatorId"
  | "providerSession"
  | "singleSignOn"
  | "singleSignOnEmail"
  | "staff"
  | "staffCode"
  | "usedCredential"
>

const decodeCreation = Schema.decodeUnknownSync(PasskeyCreation)
const decodeRequest = Schema.decodeUnknownSync(PasskeyRequest)

/** Makes the fixtures of an organization's staff. Each is of a new member. */
export const makeStaffFixtures = ({
  next,
  organizationId,
  providerId,
  query,
  send
}: Pick<Fixtures, "next" | "organizationId" | "providerId" | "send"> & { readonly query: Query }): StaffFixtures => {
  const addMember = async () => {
    const email = `member${next()}@example.com`
    const body = { firstName: "Jane", lastName: "Rivera", role: "SUPPORT", email }
    return { email, userId: textAt(await send("members.add", { params: { organizationId }, body }), "id") }
  }

  const startSession = async (userId: string) => {
    const token = makeStaffToken("c1")
    const sessionId = randomUUID()
    await query(
      "auth",
      `INSERT INTO auth.staff_sessions (
         organization_id, id, user_id, token_hash, kind, state, created_at, last_used_at, expires_at, stepped_up_at
       ) VALUES ($1, $2, $3, $4, 'BROWSER', 'ACTIVE', now(), now(), now() + interval '1 hour', now())`,
      [organizationId, sessionId, userId, keyHash(token)]
    )
    return { sessionId, headers: { authorization: `Bearer ${token}` } }
  }

  const startDevice = async () => {
    const started = await send("staffSignIn.startDevice", {})
    return {
      deviceCode: textAt(started, "deviceCode"),
      userCode: textAt(started, "userCode"),
      origin: new URL(textAt(started, "verificationUri")).origin
    }
  }

  const createCredential = async (userId: string) => {
    const { headers } = await startSession(userId)
    const authenticator = new SoftAuthenticator((await startDevice()).origin)
    const options = decodeCreation(await send("staffSession.creationOptions", { headers }))
    return { authenticator, headers, credential: authenticator.create(options) }
  }

  const enrol = async (userId: string) => {
    const { authenticator, credential, headers } = await createCredential(userId)
    return {
      authenticator,
      enrolled: await send("staffSession.register", { headers, body: { name: "Key", credential } })
    }
  }

  const singleSignOn = async () => ({
    issuer: await issuerUrl(),
    clientId: "care",
    clientSecret: "a secret of the client",
    domain: `clinic-${randomUUID()}.example`
  })

  const invite = async () => {
    const body = { email: `operator${next()}@example.com`, firstName: "Ada", lastName: "Byron" }
    return textAt(await send("staffAdmin.invite", { body }), "id")
  }

  return {
    // The last operator cannot be deactivated.
    operatorId: async () => {
      await invite()
      return invite()
    },
    singleSignOn,
    singleSignOnEmail: async () => {
      const { domain, ...client } = await singleSignOn()
      await send("singleSignOn.set", { params: { organizationId }, body: { ...client, domains: [domain] } })
      return `jane@${domain}`
    },
    staff: async () => {
      const { userId } = await addMember()
      const { enrolled } = await enrol(userId)
      await enrol(userId)
      return {
        ...(await startSession(userId)),
        userId,
        passkeyId: textAt(enrolled, "passkey", "id"),
        recoveryCode: textAt(enrolled, "recoveryCodes", 0)
      }
    },
    providerSession: async () => ({ headers: (await startSession(providerId)).headers }),
    staffCode: async () => {
      const { email } = await addMember()
      await send("staffSignIn.sendCode", { body: { email } })
      for (;;) {
        const [code] = /\b\d{6}\b/.exec(JSON.stringify(await send("messages.list", { query: { to: email } }))) ?? []
        if (code !== undefined) return { email, code }
        await setTimeout(2)
      }
    },
    createdCredential: async () => {
      const { credential, headers } = await createCredential((await addMember()).userId)
      return { credential, headers }
    },
    usedCredential: async () => {
      const { authenticator } = await enrol((await addMember()).userId)
      return authenticator.use(decodeRequest(await send("staffSignIn.assertionOptions", {})))
    },
    device: async () => {
      const { deviceCode, userCode } = await startDevice()
      const { headers } = await startSession((await addMember()).userId)
      return { deviceCode, userCode, headers }
    }
  }
}
