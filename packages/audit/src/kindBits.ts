import { DataKind } from "@care/domain/audit"
import { Schema } from "effect"

// A bit for each kind, in the order of the literals. New kinds are added at their end.
const bits = new Map<string, number>(DataKind.literals.map((kind, index) => [kind, 1 << index]))

/** The highest sum of the bits that this version knows. */
export const maxKindBits = 2 ** DataKind.literals.length - 1

/** Kinds of data as a sum of bits, as an entry of a chain has them. */
export const KindBits = Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: maxKindBits }))

/** Returns the bits of kinds, or undefined if one of them is unknown, or they are in another order than the literals of `DataKind`. */
export const bitsOfKinds = (kinds: ReadonlyArray<string>): number | undefined => {
  let sum = 0
  for (const kind of kinds) {
    const bit = bits.get(kind)
    if (bit === undefined || bit <= sum) return undefined
    sum += bit
  }
  return sum
}

export const kindsOfBits = (sum: number): ReadonlyArray<DataKind> =>
  DataKind.literals.filter((_, index) => (sum & (1 << index)) !== 0)

/** Returns kinds in the order of the literals of `DataKind`, each once. */
export const sortedKinds = (kinds: ReadonlyArray<DataKind>): ReadonlyArray<DataKind> =>
  DataKind.literals.filter((kind) => kinds.includes(kind))
