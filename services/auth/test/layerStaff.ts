import { randomUUID } from "node:crypto"
import type { MemberRole, ResolvedStaffSession } from "@care/domain/auth"
import { type OrganizationId, UserId } from "@care/domain/ids"
import { layerIdleJobs } from "@care/jobs/testing"
import { Egress } from "@care/service-kit"
import { DateTime, Effect, Layer, Option } from "effect"
import type { AuthSettings } from "../src/AuthSettings.ts"
import { Organizations } from "../src/organizations/index.ts"
import { makeMembersRepo, UserSnapshots } from "../src/people/index.ts"
import { OneTimeCodes } from "../src/signIn/index.ts"
import { DeviceSignIns } from "../src/staff/devices/DeviceSignIns.ts"
import { Operators } from "../src/staff/operators/Operators.ts"
import { Passkeys } from "../src/staff/passkeys/Passkeys.ts"
import { StaffSignIn } from "../src/staff/StaffSignIn.ts"
import { StaffSessions } from "../src/staff/sessions/StaffSessions.ts"
import { OpenIdProviders } from "../src/staff/singleSignOn/OpenIdProviders.ts"
import { SignOns } from "../src/staff/singleSignOn/SignOns.ts"
import { SingleSignOnSettings } from "../src/staff/singleSignOn/SingleSignOnSettings.ts"
import { layerBase, layerSettings } from "./layerAuth.ts"
import { SoftAuthenticator } from "./SoftAuthenticator.ts"

export const origin = "http://localhost:8080"

/** Provides the sign-in of staff with the settings of a test, on a database of their own. */
export const layerStaff = (changes: Partial<AuthSettings["Service"]> = {}) =>
  Layer.mergeAll(
    DeviceSignIns.layer,
    OneTimeCodes.layer,
    Operators.layer,
    Passkeys.layer,
    SignOns.layer,
    SingleSignOnSettings.layer,
    StaffSignIn.layer
  ).pipe(
    Layer.provideMerge(Layer.mergeAll(OpenIdProviders.layer, StaffSessions.layer)),
    Layer.provide(Egress.layer),
    Layer.provide(UserSnapshots.layer),
    Layer.provide(layerIdleJobs),
    Layer.provide(layerSettings({ publicUrl: origin, ...changes })),
    Layer.provideMerge(layerBase)
  )

let people = 0

/** Adds a member of staff to an organization, by default to a new one. */
export const addMember = Effect.fnUntraced(function* (
  organization?: OrganizationId,
  { email, role = "SUPPORT" }: { readonly email?: string; readonly role?: MemberRole } = {}
) {
  people += 1
  const organizationId = organization ?? (yield* (yield* Organizations).create(`Clinic ${people}`)).id
  const member = yield* (yield* makeMembersRepo)
    .insert(
      organizationId,
      UserId.make(randomUUID()),
      { email: email ?? `staff.${people}@example.com`, firstName: "Jane", lastName: "Rivera", role },
      yield* DateTime.nowAsDate
    )
    .pipe(Effect.orDie)
  return { organizationId, userId: member.id, email: member.email }
})

type Added = Effect.Success<ReturnType<typeof addMember>>

/** Makes a code for a member of staff, as the job of a request does. */
export const codeFor = Effect.fnUntraced(function* ({ email: identifier, organizationId, userId: memberId }: Added) {
  const request = { organizationId, identifier, memberId, requestedAt: yield* DateTime.nowAsDate }
  return Option.map(yield* (yield* OneTimeCodes).issue(randomUUID(), request), ({ code }) => code)
})

/** Signs a member in with a code, and returns the pending session. */
export const signInByCode = Effect.fnUntraced(function* (member: Added) {
  const code = Option.getOrThrow(yield* codeFor(member))
  return yield* (yield* StaffSignIn).verifyCode(member.email, code)
})

/** Enrols a passkey in a session. */
export const enrol = Effect.fnUntraced(function* (session: ResolvedStaffSession, authenticator?: SoftAuthenticator) {
  const passkeys = yield* Passkeys
  const device = authenticator ?? new SoftAuthenticator(origin)
  const options = yield* passkeys.creationOptions(session)
  return { authenticator: device, ...(yield* passkeys.register(session, "Key", device.create(options))) }
})

/** Makes a member with a passkey and an active session. */
export const makeSignedIn = Effect.fnUntraced(function* (organization?: OrganizationId, role?: MemberRole) {
  const member = yield* addMember(organization, role === undefined ? {} : { role })
  const { authenticator, issued, passkey, recoveryCodes } = yield* enrol((yield* signInByCode(member)).session)
  if (issued === undefined) return yield* Effect.die(new Error("The first passkey starts a session"))
  return { ...member, ...issued, authenticator, passkey, recoveryCodes }
})
