import type { KeptTables } from "@care/service"

const ofNoMember = `EXISTS (
  SELECT FROM users WHERE users.organization_id = $1::uuid AND users.id = user_id AND role <> 'USER'
) IS FALSE`

/** A sandbox keeps its keys, its members, and how they sign in. */
export const keptTables: KeptTables = {
  api_keys: {},
  device_sign_ins: {},
  passkey_challenges: {},
  passkeys: {},
  patient_keys: { removed: ofNoMember },
  recovery_codes: {},
  sign_ons_in_progress: {},
  single_sign_on_domains: {},
  single_sign_ons: {},
  staff_sessions: {},
  users: { removed: "role = 'USER'" }
}
