import type { OwnStaffSession } from "@care/domain/auth"
import { isInTestMode } from "../client/mode.ts"

/** Returns a session as screens show it: in test mode, its organization is the sandbox. */
export const inMode = (session: OwnStaffSession): OwnStaffSession => {
  const { organization, sandboxId } = session
  return isInTestMode() && sandboxId !== null
    ? { ...session, organization: { id: sandboxId, name: `${organization.name} (test)` } }
    : session
}
