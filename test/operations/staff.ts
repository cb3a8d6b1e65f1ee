import type { MakeRequest, Operations } from "./Operation.ts"

const ofStaff = { unaudited: "it is about a member of staff, and no patient", organizationFields: true } as const
const ofAccess = { changesAccess: true, organizationFields: true } as const

// A request with nothing but a session.
const withSession: MakeRequest = async (fixtures) => ({ headers: (await fixtures.staff()).headers })

/** The operations of staff who sign in. */
export const staff = {
  "staffSignIn.sendCode": {
    request: ({ next }) => ({ body: { email: `nobody${next()}@example.com` } }),
    ...ofStaff
  },
  "staffSignIn.mailbox": {
    request: async (fixtures) => ({ body: { email: (await fixtures.staffCode()).email } }),
    ...ofStaff
  },
  "staffSignIn.verifyCode": { request: async (fixtures) => ({ body: await fixtures.staffCode() }), ...ofStaff },
  "staffSignIn.assertionOptions": {
    request: () => ({}),
    variants: { "of a session": withSession },
    ...ofStaff
  },
  "staffSignIn.assert": { request: async (fixtures) => ({ body: await fixtures.usedCredential() }), ...ofAccess },
  "staffSignIn.startDevice": { request: () => ({}), ...ofStaff },
  "staffSignIn.deviceToken": {
    request: async (fixtures) => {
      const { deviceCode, headers, userCode } = await fixtures.device()
      await fixtures.send("staffSession.approveDevice", { headers, body: { userCode, isApproved: true } })
      return { body: { deviceCode } }
    },
    ...ofAccess
  },
  "staffSignIn.startSingleSignOn": {
    request: async (fixtures) => ({ body: { email: await fixtures.singleSignOnEmail() } }),
    ...ofStaff
  },
  "staffSignIn.finishSingleSignOn": { request: () => ({ query: { state: "unknown", code: "unknown" } }), ...ofStaff },
  "staffSession.whoAmI": { request: withSession, ...ofStaff },
  "staffSession.signOut": { request: withSession, ...ofStaff },
  "staffSession.sessions": { request: withSession, ...ofStaff },
  "staffSession.endOtherSessions": { request: withSession, ...ofStaff },
  "staffSession.endSession": {
    request: async (fixtures) => {
      const { headers, sessionId } = await fixtures.staff()
      return { headers, params: { sessionId } }
    },
    ...ofStaff
  },
  "staffSession.passkeys": { request: withSession, ...ofStaff },
  "staffSession.creationOptions": { request: withSession, ...ofStaff },
  "staffSession.register": {
    request: async (fixtures) => {
      const { credential, headers } = await fixtures.createdCredential()
      return { headers, body: { name: "Key", credential } }
    },
    ...ofAccess
  },
  "staffSession.renamePasskey": {
    request: async (fixtures) => {
      const { headers, passkeyId } = await fixtures.staff()
      return { headers, params: { passkeyId }, body: { name: "Another name" } }
    },
    ...ofStaff
  },
  "staffSession.deletePasskey": {
    request: async (fixtures) => {
      const { headers, passkeyId } = await fixtures.staff()
      return { headers, params: { passkeyId } }
    },
    ...ofAccess
  },
  "staffSession.renewRecoveryCodes": { request: withSession, ...ofAccess },
  "staffSession.recover": {
    request: async (fixtures) => {
      const { headers, recoveryCode: code } = await fixtures.staff()
      return { headers, body: { code } }
    },
    ...ofStaff
  },
  "staffSession.approveDevice": {
    request: async (fixtures) => {
      const { headers, userCode } = await fixtures.device()
      return { headers, body: { userCode, isApproved: true } }
    },
    ...ofStaff
  },
  "singleSignOn.set": {
    request: async (fixtures) => {
      const { domain, ...client } = await fixtures.singleSignOn()
      return { params: { organizationId: fixtures.organizationId }, body: { ...client, domains: [domain] } }
    },
    unmarkedFields: ["issuer"],
    ...ofAccess
  },
  "singleSignOn.get": {
    request: async (fixtures) => {
      await fixtures.singleSignOnEmail()
      return { params: { organizationId: fixtures.organizationId } }
    },
    ...ofStaff
  },
  "singleSignOn.remove": {
    request: async (fixtures) => {
      await fixtures.singleSignOnEmail()
      return { params: { organizationId: fixtures.organizationId } }
    },
    ...ofAccess
  },
  "staffAdmin.invite": {
    request: ({ next }) => ({ body: { email: `operator${next()}@example.com`, firstName: "Ada", lastName: "Byron" } }),
    ...ofAccess
  },
  "staffAdmin.operators": {
    request: () => ({}),
    pages: { "the next page": () => ({}) },
    ...ofStaff
  },
  "staffAdmin.removeOperator": {
    request: async (fixtures) => ({ params: { userId: await fixtures.operatorId() } }),
    ...ofAccess
  },
  "staffAdmin.resetSignIn": {
    request: async (fixtures) => ({ params: { userId: (await fixtures.staff()).userId } }),
    ...ofAccess
  }
} satisfies Partial<Operations>
