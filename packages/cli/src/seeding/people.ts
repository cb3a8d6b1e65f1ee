import { Effect, Random } from "effect"

const given = {
  FEMALE: [
    ...["Maria", "Aisha", "Olga", "Hana", "Grace", "Priya", "Elena", "Naomi", "Carmen", "Ruth", "Mei", "Sofia"],
    ...["Joanna", "Leila", "Denise", "Tessa", "Amara", "Ingrid", "Paula", "Yara"]
  ],
  MALE: [
    ...["James", "Liam", "Diego", "Wei", "Omar", "Marcus", "Viktor", "Samuel", "Kofi", "Andre", "Henry", "Ravi"],
    ...["Tomás", "Björn", "Peter", "Isaac", "Daniel", "Malik", "Lucas", "Hugo"]
  ]
} as const

const families = [
  ...["Lopez", "Okafor", "Chen", "Müller", "Haddad", "Novak", "Silva", "Tanaka", "Rossi", "Cohen", "Walker"],
  ...["Svensson", "Patel", "Brooks", "Nguyen", "Fischer", "Diaz", "Kowalski", "Adeyemi", "Reed", "Moreau"],
  ...["Santos", "Kim", "Foster", "Ivanova", "Hughes", "Mensah", "Barnes", "Romero", "Larsen"]
] as const

/** Towns with a code of their state, a postal code and an area code of telephones. */
const towns = [
  ["Oakland", "CA", "94607", "510"],
  ["San Diego", "CA", "92101", "619"],
  ["Sacramento", "CA", "95814", "916"],
  ["Austin", "TX", "78701", "512"],
  ["Houston", "TX", "77002", "713"],
  ["Brooklyn", "NY", "11201", "718"],
  ["Buffalo", "NY", "14202", "716"],
  ["Miami", "FL", "33130", "305"],
  ["Tampa", "FL", "33602", "813"],
  ["Chicago", "IL", "60607", "312"],
  ["Seattle", "WA", "98104", "206"],
  ["Denver", "CO", "80203", "303"],
  ["Phoenix", "AZ", "85004", "602"],
  ["Boston", "MA", "02116", "617"],
  ["Atlanta", "GA", "30303", "404"],
  ["Columbus", "OH", "43215", "614"],
  ["Portland", "OR", "97205", "503"],
  ["Nashville", "TN", "37203", "615"],
  ["Raleigh", "NC", "27601", "919"],
  ["Detroit", "MI", "48226", "313"]
] as const

const streets = ["Maple Street", "Oak Avenue", "2nd Street", "Park Road", "Lake Drive", "Cedar Lane", "Hill Street"]

// No two seeds below 80 have a number in common, and no two patients of one seed.
const numberOf = (seed: number, index: number): number => 2_000_000 + ((seed * 100_003 + index) % 8_000_000)

const plainName = (name: string): string => name.normalize("NFD").replaceAll(/\P{ASCII}/gu, "")

/** Makes up the patient of a seed with this index: the name, age and address of an adult in the United States. */
export const makePatient = Effect.fnUntraced(function* (seed: number, index: number) {
  const gender = (yield* Random.next) < 0.6 ? "FEMALE" : "MALE"
  const firstName = yield* Random.choice(given[gender])
  const lastName = yield* Random.choice(families)
  const [city, state, postalCode, area] = yield* Random.choice(towns)
  // Two numbers, so that most are in the middle.
  const year = 2003 - (yield* Random.nextIntBetween(0, 25)) - (yield* Random.nextIntBetween(0, 25))
  const [month, day] = [yield* Random.nextIntBetween(1, 12), yield* Random.nextIntBetween(1, 28)]
  const house = yield* Random.nextIntBetween(1, 990)
  return {
    firstName,
    lastName,
    email: `${plainName(`${firstName}.${lastName}`).toLowerCase()}.${seed}.${index}@example.com`,
    phoneNumber: `+1${area}${numberOf(seed, index)}`,
    dob: [year, month, day].map((part) => String(part).padStart(2, "0")).join("-"),
    gender,
    shippingAddress: {
      addressLine1: `${house} ${yield* Random.choice(streets)}`,
      city,
      state,
      country: "US",
      postalCode
    }
  } as const
})

/** A made-up patient. */
export type Patient = Effect.Success<ReturnType<typeof makePatient>>
