import type { LookupAddress } from "node:dns"
import { Resolver } from "node:dns/promises"
import { Data, Effect } from "effect"
import { Agent } from "undici"

/** A name has no address, or one that is not allowed. */
export class AddressRefused extends Data.TaggedError("AddressRefused") {}

export type Resolve = (
  hostname: string,
  done: (error: NodeJS.ErrnoException | null, addresses?: ReadonlyArray<LookupAddress>) => void
) => void

const isThisMachine = (hostname: string) => /(^|\.)localhost$/i.test(hostname)

const thisMachine: ReadonlyArray<LookupAddress> = [
  { address: "127.0.0.1", family: 4 },
  { address: "::1", family: 6 }
]

/** Makes a resolver that asks name servers itself, because `dns.lookup` has four threads, which four silent names would block. */
export const makeResolve = (servers?: ReadonlyArray<string>): Resolve => {
  const resolver = new Resolver({ timeout: 1500, tries: 2 })
  if (servers !== undefined) resolver.setServers(servers)
  const addressesOf = async (hostname: string): Promise<ReadonlyArray<LookupAddress>> => {
    if (isThisMachine(hostname)) return thisMachine
    const [four, six] = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)])
    const resolved = [
      ...(four.status === "fulfilled" ? four.value.map((address) => ({ address, family: 4 })) : []),
      ...(six.status === "fulfilled" ? six.value.map((address) => ({ address, family: 6 })) : [])
    ]
    if (resolved.length === 0 && four.status === "rejected") throw four.reason
    return resolved
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

// A promise turns what the resolver throws into a rejection. Thrown in a callback of Node, it would end the process.
const allowedAddresses = async (hostname: string, resolve: Resolve, isAllowed: IsAllowed) => {
  const addresses = await new Promise<ReadonlyArray<LookupAddress> | undefined>((resolved, rejected) =>
    resolve(hostname, (error, answer) => (error === null ? resolved(answer) : rejected(error)))
  )
  const [first] = addresses ?? []
  if (addresses === undefined || first === undefined) throw new AddressRefused()
  if (!addresses.every(({ address }) => isAllowed(address))) throw new AddressRefused()
  return { first, all: [...addresses] }
}

const toError = (thrown: unknown): Error => (thrown instanceof Error ? thrown : new AddressRefused())

/** Makes an agent that connects only to names whose addresses are all allowed, and to the same addresses that it checked. */
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
                // The socket or the timeout reports what the callback throws.
                .catch(() => {})
            }
          },
          // The caller has its own time limit.
          headersTimeout: 0,
          bodyTimeout: 0
        })
    ),
    (agent) => Effect.promise(() => agent.destroy())
  )
