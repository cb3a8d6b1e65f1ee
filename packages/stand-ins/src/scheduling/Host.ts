/** Who people meet. */
export interface Host {
  readonly id: string
  readonly name: string
  readonly email: string
  readonly slug: string
  /** In which their business hours are: 9 to 17, Monday to Friday. */
  readonly timezone: string
}

/** The organization of all hosts, and of the token. */
export const organizationId = "org_demo"

/** Whose token it is. */
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

/** The page of a host on which people book. */
export const pageOfHost = ({ slug }: Host): string => `https://scheduling.example.com/${slug}`
