import type { CaseActivityType } from "@care/domain/cases"
import type { Fixtures } from "./Fixtures.ts"
import type { InternalId, OperationId, PartnerId } from "./ids.ts"
import type { Request } from "./Request.ts"

/** Makes a request that is accepted, from the things that the fixtures make. */
export type MakeRequest = (fixtures: Fixtures) => Request | Promise<Request>

/** The response to an organization that sends the request with ids of another organization. */
export interface Foreign {
  readonly status: number
  /** A part of the body, where the specification distinguishes ids of another organization from unknown ids. */
  readonly body?: object
  /** A part of the body for unknown ids, in the same case. */
  readonly unknownIds?: object
  /** A request that names things of the organization, where the main request names none. */
  readonly request?: MakeRequest
}

/** What tests know of a public operation beside its contract. */
export interface Operation {
  readonly request: MakeRequest
  /** Further requests, by their names in reports. */
  readonly variants?: Readonly<Record<string, MakeRequest>>
  /** Requests of lists whose second page is read and measured, by their names in reports. */
  readonly pages?: Readonly<Record<string, MakeRequest>>
  /** Further requests that are only measured. `until` waits for their effect. */
  readonly measured?: Readonly<
    Record<string, { readonly request: MakeRequest; readonly until?: (fixtures: Fixtures) => Promise<void> }>
  >
  /** The reason why no audit record is written. */
  readonly unaudited?: string
  /** True if its audit record says who may read patients' data, and is about no patient. */
  readonly changesAccess?: true
  /** The paths of texts that are about the organization, or true for all of them. Other texts are about a patient. `*` is any element. */
  readonly organizationFields?: true | ReadonlyArray<string>
  /** Text fields that cannot carry a marker, because they take only an id, a date or a word of a list. */
  readonly unmarkedFields?: ReadonlyArray<string>
  /** The reason why a refusal may quote a text of the request. */
  readonly quotes?: string
  /** The status of the response after the patient's erasure, where only one is right. */
  readonly erasedStatus?: number
  /** True if the request makes a new patient when its email is that of an erased one. */
  readonly enrolls?: true
  readonly foreign?: Foreign
  /** Set for a write of partners that uses no quota: the activities that it and its jobs record, none of which has an event. */
  readonly addsNothing?: ReadonlyArray<CaseActivityType>
  /** The reason why a write of partners that adds events is never refused for a quota. */
  readonly uncounted?: string
}

/** An operation of partners, which another organization tries with foreign ids. */
interface PartnerOperation extends Operation {
  readonly foreign: Foreign
}

/** What tests know of an operation that services call on each other. */
export interface InternalOperation {
  /** What the operation takes, if no request of the table leads to a call of it. */
  readonly unreached?: string
}

/** An entry for each public operation, and for no other. */
export type Operations = Readonly<
  { [Id in PartnerId]: PartnerOperation } & { [Id in Exclude<OperationId, PartnerId>]: Operation }
>

/** An entry for each internal operation, and for no other. */
export type InternalOperations = Readonly<Record<InternalId, InternalOperation>>
