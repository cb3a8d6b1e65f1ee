import type { CaseActivityType } from "@care/domain/cases"
import type { Fixtures } from "./Fixtures.ts"
import type { InternalId, OperationId, PartnerId } from "./ids.ts"
import type { Request } from "./Request.ts"

/** Makes a request that is accepted, about what the fixtures make for it. */
export type Recipe = (of: Fixtures) => Request | Promise<Request>

/** How the request is answered to an organization whose things it does not name. */
interface Foreign {
  readonly status: number
  /** What the body has, where the specification tells what is another organization's and what is nobody's apart. */
  readonly body?: object
  /** What is answered then when the things are nobody's. */
  readonly nobodys?: object
  /** The request that names what is the organization's, where the first does not. */
  readonly request?: Recipe
}

/** An operation that somebody outside may ask for, less what its contract says. */
export interface Operation {
  readonly request: Recipe
  /** Further requests, by what they are. */
  readonly also?: Readonly<Record<string, Recipe>>
  /** Lists, by what they are, of which the second page is read and measured. */
  readonly pages?: Readonly<Record<string, Recipe>>
  /** Further requests whose time alone is of interest, and what is waited for that they lead to. */
  readonly measured?: Readonly<
    Record<string, { readonly request: Recipe; readonly until?: (of: Fixtures) => Promise<void> }>
  >
  /** Why no audit record is written. */
  readonly unaudited?: string
  /** The texts in which an organization says something of itself, or true for all: every other is a patient's. `*` is any element. */
  readonly own?: true | ReadonlyArray<string>
  /** The fields whose schema is a text, but that take an id, a date or a word of a list alone. */
  readonly spares?: ReadonlyArray<string>
  /** Why a refusal has a text that was sent in it. */
  readonly quotes?: string
  /** How the request is answered once the patient was erased, where one answer is the right one. */
  readonly erased?: number
  /** True where somebody with the email of a patient who was erased becomes another patient. */
  readonly enrolls?: true
  readonly foreign?: Foreign
  /** Of a write of partners that adds to nothing that has a quota: the activities that it and its jobs record, none with an event. */
  readonly addsNothing?: ReadonlyArray<CaseActivityType>
  /** Why a write of partners that adds events is never refused for a quota. */
  readonly uncounted?: string
}

/** An operation of partners: another organization tries it. */
interface PartnerOperation extends Operation {
  readonly foreign: Foreign
}

/** An operation that services ask each other for. */
export interface InternalOperation {
  /** What it takes, where nothing that the other operations do leads to it. */
  readonly unreached?: string
}

/** A line for each operation that somebody outside may ask for, and for nothing else. */
export type Operations = Readonly<
  { [Id in PartnerId]: PartnerOperation } & { [Id in Exclude<OperationId, PartnerId>]: Operation }
>

/** A line for each operation that services ask each other for, and for nothing else. */
export type InternalOperations = Readonly<Record<InternalId, InternalOperation>>
