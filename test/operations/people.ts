import type { Foreign, Operations } from "./Operation.ts"

const unknownUser = { message: "User <email> does not exist" }
const foreignUser: Foreign = {
  status: 400,
  body: { message: "User <email> does not exist in the organization" },
  unknownIds: unknownUser
}

const staffOnly = "a member of staff is no patient"

/** The operations on users: sign-in, profiles, staff, erasure and export. */
export const people = {
  "signIn.sendCode": {
    request: async (fixtures) => ({ body: { email: (await fixtures.case()).email } }),
    variants: { nobody: (fixtures) => ({ body: { email: `nobody${fixtures.next()}@example.com` } }) },
    foreign: { status: 200 },
    unaudited: "nobody looks there whether it is a patient's; the sign-in is recorded",
    unmarkedFields: ["email", "phoneNumber"],
    addsNothing: []
  },
  "signIn.verifyCode": {
    request: async (fixtures) => ({ body: await fixtures.code() }),
    foreign: { status: 401 },
    unmarkedFields: ["phoneNumber"],
    addsNothing: []
  },
  "signIn.refresh": {
    request: async (fixtures) => ({ body: { refresh_token: (await fixtures.session()).refreshToken } }),
    foreign: {
      status: 401,
      body: { error: "Refresh token does not belong to this organization", code: "REFRESH_INVALID" },
      unknownIds: { error: "Refresh token not recognized", code: "REFRESH_INVALID" }
    },
    erasedStatus: 401,
    addsNothing: []
  },
  "signIn.signOut": {
    request: async (fixtures) => ({ body: { refresh_token: (await fixtures.session()).refreshToken } }),
    foreign: { status: 200 },
    addsNothing: []
  },
  "users.checkUser": {
    request: async (fixtures) => ({ query: { email: (await fixtures.case()).email } }),
    variants: { "a phone number of nobody": () => ({ query: { "phone-number": "+14155550000" } }) },
    foreign: {
      status: 200,
      body: { message: "Email already exists" },
      unknownIds: { message: "User does not exist" }
    },
    erasedStatus: 200
  },
  "users.me": {
    request: async (fixtures) => ({ headers: { authorization: `Bearer ${(await fixtures.session()).accessToken}` } }),
    foreign: { status: 401 },
    erasedStatus: 401
  },
  "users.updateProfile": {
    request: async (fixtures) => {
      const { email, phoneNumber } = await fixtures.case()
      return { body: { data: { email, phoneNumber, city: "Oakland" } } }
    },
    foreign: foreignUser,
    erasedStatus: 400,
    addsNothing: []
  },
  "users.updateEmail": {
    request: async (fixtures) => ({
      body: { data: { currentEmail: (await fixtures.case()).email, newEmail: await fixtures.newEmail() } }
    }),
    foreign: foreignUser,
    erasedStatus: 400,
    addsNothing: []
  },
  "members.add": {
    request: ({ next, organizationId }) => ({
      params: { organizationId },
      body: { email: `joined${next()}@example.com`, firstName: "Jane", lastName: "Rivera", role: "SUPPORT" }
    }),
    measured: {
      "a provider for whom 10 cases wait, until they are assigned": {
        request: async (fixtures) => {
          await fixtures.waitingCases()
          const name = { firstName: "Jane", lastName: "Rivera", email: `joined${fixtures.next()}@example.com` }
          const body = { ...name, role: "PROVIDER", licensedStates: ["WY"] }
          return { params: { organizationId: fixtures.organizationId }, body }
        },
        until: (fixtures) => fixtures.untilAssigned()
      }
    },
    organizationFields: true,
    unmarkedFields: ["phoneNumber"]
  },
  "members.list": {
    request: ({ organizationId }) => ({ params: { organizationId } }),
    variants: {
      "those who were deleted": ({ organizationId }) => ({ params: { organizationId }, query: { isActive: "false" } })
    },
    pages: { "the next page": ({ organizationId }) => ({ params: { organizationId } }) },
    unaudited: staffOnly
  },
  "members.change": {
    request: async (fixtures) => ({
      params: { userId: await fixtures.memberId() },
      body: { lastName: "Lopez", title: "Dr.", licensedStates: ["CA"] }
    }),
    changesAccess: true,
    organizationFields: true
  },
  "members.removeUser": {
    request: async (fixtures) => ({ params: { userId: (await fixtures.case()).userId } }),
    variants: { "a member of staff": async (fixtures) => ({ params: { userId: await fixtures.memberId() } }) }
  },
  "patientErasure.erase": {
    request: async (fixtures) => ({ params: { userId: (await fixtures.newCase()).userId }, body: { force: true } }),
    variants: {
      "without an active case": async (fixtures) => ({
        params: { userId: (await fixtures.closedCase()).userId },
        body: {}
      })
    },
    erasedStatus: 200
  },
  "patientExport.export": {
    request: async (fixtures) => ({ params: { userId: (await fixtures.newCase()).userId } }),
    erasedStatus: 200
  }
} satisfies Partial<Operations>
