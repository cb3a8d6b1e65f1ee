import { may } from "../client/may.ts"
import { useSession } from "./useSession.ts"

/** Returns the function that tells whether the person who is signed in may call an operation. */
export const useMay = (): ((group: string, operation: string) => boolean) => {
  const { role } = useSession().user
  return (group, operation) => may(role, group, operation)
}
