import { OrganizationId } from "@care/domain/ids"
import { Option, Schema } from "effect"
import { useSyncExternalStore } from "react"
import { useSession } from "./useSession.ts"

const key = "care-organization"
const listeners = new Set<() => void>()
const read = () => sessionStorage.getItem(key)

const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Operators choose the organization that they look at, for as long as the tab is open. */
export const chooseOrganization = (id: OrganizationId | undefined): void => {
  if (id === undefined) sessionStorage.removeItem(key)
  else sessionStorage.setItem(key, id)
  for (const listener of listeners) listener()
}

const decode = Schema.decodeUnknownOption(OrganizationId)

/** Returns the organization whose things are shown: a member's own, or the one that an operator chose; undefined means all. */
export const useOrganizationId = (): OrganizationId | undefined => {
  const { organization, user } = useSession()
  const chosen = useSyncExternalStore(subscribe, read)
  return user.role === "OPERATOR" ? Option.getOrUndefined(decode(chosen)) : organization.id
}
