/** The host of meetings. */
export interface Host {
  readonly id: string
  readonly name: string
  readonly email: string
  readonly slug: string
  /** The time zone of the business hours: 9 to 17, Monday to Friday. */
  readonly timezone: string
}

/** The organization of all hosts and of the token. */
export const organizationId = "org_demo"

/** The owner of the token. */
export const jane: Host = {
  id: "usr_demo",
  name: "Dr. Jane Rivera",
  email: "jane.rivera@clinic.example.com",
  slug: "jane-rivera",
  timezone: "America/New_York"
}

/** A host whose clocks change on other days. */
export const tom: Host = {
  id: "usr_demo_london",
  name: "Dr. Tom Hughes",
  email: "tom.hughes@clinic.example.com",
  slug: "tom-hughes",
  timezone: "Europe/London"
}

export const hosts: ReadonlyArray<Host> = [jane, tom]

export const userUri = (url: string, { id }: Host): string => `${url}/users/${id}`

export const organizationUri = (url: string): string => `${url}/organizations/${organizationId}`

/** Returns the booking page of a host. */
export const pageOfHost = ({ slug }: Host): string => `https://scheduling.example.com/${slug}`
