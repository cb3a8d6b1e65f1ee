import { call } from "../call.ts"
import { refresh, sendCode, signOut, verifyCode } from "../signIn.ts"
import type { Attempt } from "./Attempt.ts"
import { act } from "./makeTarget.ts"

/** What is tried with people of another organization, and with what it did. */
export const peopleAttempts: Readonly<Record<string, Attempt>> = {
  "signIn.sendCode": [[200], ({ key }, { user }) => sendCode(key, { email: user.email })],
  "signIn.verifyCode": [[401], ({ key }, { user }) => verifyCode(key, { email: user.email, code: "123456" })],
  "signIn.refresh": [[401], ({ key }, { refreshToken }) => refresh(key, refreshToken)],
  "signIn.signOut": [[200], ({ key }, { refreshToken }) => signOut(key, refreshToken)],
  "users.checkUser": [[200], ({ key }, { user }) => call("GET", `/api/v1/check-user?email=${user.email}`, { key })],
  "auditRecords.list": [
    [200],
    ({ key }, { caseId, patientId }) =>
      call("GET", `/api/v1/audit-records?caseId=${caseId}&userId=${patientId}`, { key })
  ],
  "users.me": [
    [401],
    ({ key }, { accessToken }) =>
      call("GET", "/api/v1/users/me", { key, headers: { authorization: `Bearer ${accessToken}` } })
  ],
  "users.updateProfile": [
    [400],
    ({ key }, { user }) => act(key, "UPDATE_PROFILE", { email: user.email, city: "Elsewhere" })
  ],
  "users.updateEmail": [
    [400],
    ({ key }, { user }) => act(key, "UPDATE_EMAIL", { currentEmail: user.email, newEmail: "stolen@example.com" })
  ]
}
