import type { LookupAddress } from "node:dns"
import { Resolver } from "node:dns/promises"
import { Data, Effect } from "effect"
import { Agent } from "undici"

/** A name leads to an address that is not allowed, or to none. */
export class AddressRefused extends Data.TaggedError("AddressRefused") {}

/** Finds all addresses of a name. With an error there are none. */
export type Resolve = (
  hostname: string,
  done: (error: NodeJS.ErrnoException | null, addresses?: ReadonlyArray<LookupAddress>) => void
) => void

const isThisMachine = (hostname: string) => /(^|\.)localhost$/i.test(hostname)

const thisMachine: ReadonlyArray<LookupAddress> = [
  { address: "127.0.0.1", family: 4 },
  { address: "::1", family: 6 }
]

/**
 * Asks the name servers of the system, or those given, and no file of names. Not by `lookup`, which has four threads for the
 * whole process: four names whose servers do not answer would keep all others waiting, and files and hashes with them.
 */
export const makeResolve = (servers?: ReadonlyArray<string>): Resolve => {
  const resolver = new Resolver({ timeout: 1500, tries: 2 })
  if (servers !== undefined) resolver.setServers(servers)
  const addressesOf = async (hostname: string): Promise<ReadonlyArray<LookupAddress>> => {
    if (isThisMachine(hostname)) return thisMachine
    const [four, six] = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)])
    const found = [
      ...(four.status === "fulfilled" ? four.value.map((address) => ({ address, family: 4 })) : []),
      ...(six.status === "fulfilled" ? six.value.map((address) => ({ address, family: 6 })) : [])
    ]
    if (found.length === 0 && four.status === "rejected") throw four.reason
    return found
  }
  return (hostname, done) => {
    addressesOf(hostname).then(
      (addresses) => done(null, addresses),
      (error) => done(error)
    )
  }
}

export const systemResolve: Resolve = makeResolve()

type IsAllowed = (address: string) => boolean

// As a promise, because what throws in a callback of Node ends the process: here it is a rejection, whether the resolver
// throws, answers nonsense, or answers twice.
const allowedAddresses = async (hostname: string, resolve: Resolve, isAllowed: IsAllowed) => {
  const addresses = await new Promise<ReadonlyArray<LookupAddress> | undefined>((found, failed) =>
    resolve(hostname, (error, answer) => (error === null ? found(answer) : failed(error)))
  )
  const [first] = addresses ?? []
  if (addresses === undefined || first === undefined) throw new AddressRefused()
  if (!addresses.every(({ address }) => isAllowed(address))) throw new AddressRefused()
  return { first, all: [...addresses] }
}

const toError = (thrown: unknown): Error => (thrown instanceof Error ? thrown : new AddressRefused())

/**
 * Connections to allowed addresses only. The check is made on the addresses that are then connected to, so that a name
 * which leads elsewhere a moment later gains nothing; one address that is not allowed spoils the name.
 */
export const makeGuardedAgent = (isAllowed: IsAllowed, resolve: Resolve) =>
  Effect.acquireRelease(
    Effect.sync(
      () =>
        new Agent({
          connect: {
            timeout: 5000,
            lookup: (hostname, options, callback) => {
              allowedAddresses(hostname, resolve, isAllowed)
                .then(
                  ({ all, first }) =>
                    options.all === true ? callback(null, all) : callback(null, first.address, first.family),
                  (error) => callback(toError(error), "", 0)
                )
                // What the socket throws at its answer is its own to report, or the timeout's: nobody is left to tell.
                .catch(() => {})
            }
          },
          // Whoever asks says how long everything may take, and that it took too long.
          headersTimeout: 0,
          bodyTimeout: 0
        })
    ),
    (agent) => Effect.promise(() => agent.destroy())
  )
