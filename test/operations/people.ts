import type { Operations } from "./Operation.ts"

const unknownOfUser = { message: "User <email> does not exist" }
const foreignUser = {
  status: 400,
  body: { message: "User <email> does not exist in the organization" },
  nobodys: unknownOfUser
}

/** What patients and partners do about people. */
export const people = {
  "signIn.sendCode": {
    request: async (of) => ({ body: { email: (await of.case()).email } }),
    also: { nobody: (of) => ({ body: { email: `nobody${of.next()}@example.com` } }) },
    foreign: { status: 200 },
    unaudited: "nobody looks there whether it is a patient's; the sign-in is recorded",
    spares: ["email", "phoneNumber"],
    addsNothing: []
  },
  "signIn.verifyCode": {
    request: async (of) => ({ body: await of.code() }),
    foreign: { status: 401 },
    spares: ["phoneNumber"],
    addsNothing: []
  },
  "signIn.refresh": {
    request: async (of) => ({ body: { refresh_token: (await of.session()).refreshToken } }),
    foreign: {
      status: 401,
      body: { error: "Refresh token does not belong to this organization", code: "REFRESH_INVALID" },
      nobodys: { error: "Refresh token not recognized", code: "REFRESH_INVALID" }
    },
    erased: 401,
    addsNothing: []
  },
  "signIn.signOut": {
    request: async (of) => ({ body: { refresh_token: (await of.session()).refreshToken } }),
    foreign: { status: 200 },
    addsNothing: []
  },
  "users.checkUser": {
    request: async (of) => ({ query: { email: (await of.case()).email } }),
    also: { "a phone number of nobody": () => ({ query: { "phone-number": "+14155550000" } }) },
    foreign: {
      status: 200,
      body: { message: "Email already exists" },
      nobodys: { message: "User does not exist" }
    },
    erased: 200
  },
  "users.me": {
    request: async (of) => ({ headers: { authorization: `Bearer ${(await of.session()).accessToken}` } }),
    foreign: { status: 401 },
    erased: 401
  },
  "users.updateProfile": {
    request: async (of) => {
      const { email, phoneNumber } = await of.case()
      return { body: { data: { email, phoneNumber, city: "Oakland" } } }
    },
    foreign: foreignUser,
    erased: 400,
    addsNothing: []
  },
  "users.updateEmail": {
    request: async (of) => ({
      body: { data: { currentEmail: (await of.case()).email, newEmail: await of.newEmail() } }
    }),
    foreign: foreignUser,
    erased: 400,
    addsNothing: []
  },
  "members.add": {
    request: ({ next, organizationId }) => ({
      params: { organizationId },
      body: { email: `joined${next()}@example.com`, firstName: "Jane", lastName: "Rivera", role: "SUPPORT" }
    }),
    measured: {
      "a provider for whom 10 cases wait, until they are assigned": {
        request: async (of) => {
          await of.waitingCases()
          const name = { firstName: "Jane", lastName: "Rivera", email: `joined${of.next()}@example.com` }
          const body = { ...name, role: "PROVIDER", licensedStates: ["WY"] }
          return { params: { organizationId: of.organizationId }, body }
        },
        until: (of) => of.untilAssigned()
      }
    },
    own: true,
    spares: ["phoneNumber"]
  },
  "members.removeUser": {
    request: async (of) => ({ params: { userId: (await of.case()).userId } }),
    also: { "a member of staff": async (of) => ({ params: { userId: await of.memberId() } }) }
  },
  "patientErasure.erase": {
    request: async (of) => ({ params: { userId: (await of.newCase()).userId }, body: { force: true } }),
    also: {
      "without an active case": async (of) => ({ params: { userId: (await of.closedCase()).userId }, body: {} })
    },
    erased: 200
  },
  "patientExport.export": {
    request: async (of) => ({ params: { userId: (await of.newCase()).userId } }),
    erased: 200
  }
} satisfies Partial<Operations>
