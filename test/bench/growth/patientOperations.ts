import type { OperationTable } from "./OperationTable.ts"

const auth = "/api/v1/users/auth"

/** What is done with patients: they sign in, and their profile is looked up and changed. */
export const patientOperations: OperationTable = {
  "POST /api/v1/users/auth/send-otp": ({ partner, take }) => partner.post(`${auth}/send-otp`, { email: take().email }),
  "POST /api/v1/users/auth/send-otp: nobody": ({ next, partner }) =>
    partner.post(`${auth}/send-otp`, { email: `nobody${next()}@example.com` }),
  "POST /api/v1/users/auth/verify-otp": async ({ codeSentTo, partner, take }) => {
    const { email } = take()
    await partner.post(`${auth}/send-otp`, { email })()
    return partner.post(`${auth}/verify-otp`, { email, code: await codeSentTo(email) })
  },
  "POST /api/v1/users/auth/refresh-token": async ({ partner, signIn }) =>
    partner.post(`${auth}/refresh-token`, { refresh_token: (await signIn()).refresh }),
  "POST /api/v1/users/auth/logout": async ({ partner, signIn }) =>
    partner.post(`${auth}/logout`, { refresh_token: (await signIn()).refresh }),
  "GET /api/v1/users/me": async ({ partner, signIn }) =>
    partner.with({ authorization: `Bearer ${(await signIn()).access}` }).get("/api/v1/users/me"),
  "GET /api/v1/check-user: an email": ({ partner, take }) => partner.get(`/api/v1/check-user?email=${take().email}`),
  "GET /api/v1/check-user: a phone number of nobody": ({ partner }) =>
    partner.get(`/api/v1/check-user?phone-number=${encodeURIComponent("+14155550000")}`),
  "POST /api/v1/users/UPDATE_PROFILE": ({ partner, take }) =>
    partner.post("/api/v1/users", { action: "UPDATE_PROFILE", data: { email: take().email, city: "Oakland" } }),
  "POST /api/v1/users/UPDATE_EMAIL": ({ next, partner, take }) =>
    partner.post("/api/v1/users", {
      action: "UPDATE_EMAIL",
      data: { currentEmail: take().email, newEmail: `moved${next()}@example.com` }
    })
}
