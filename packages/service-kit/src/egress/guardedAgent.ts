import { type LookupAddress, lookup } from "node:dns"
import { Data, Effect } from "effect"
import { Agent } from "undici"

/** A name leads to an address that is not allowed. */
export class AddressRefused extends Data.TaggedError("AddressRefused") {}

/** Finds all addresses of a name. */
export type Resolve = (
  hostname: string,
  done: (error: NodeJS.ErrnoException | null, addresses: ReadonlyArray<LookupAddress>) => void
) => void

/** Asks the machine's own resolver. */
export const systemResolve: Resolve = (hostname, done) => lookup(hostname, { all: true }, done)

/**
 * Connections to allowed addresses only. The check is made on the addresses that are then connected to, so that a name
 * which leads elsewhere a moment later gains nothing; one address that is not allowed spoils the name.
 */
export const makeGuardedAgent = (isAllowed: (address: string) => boolean, resolve: Resolve) =>
  Effect.acquireRelease(
    Effect.sync(
      () =>
        new Agent({
          connect: {
            timeout: 5000,
            lookup: (hostname, options, callback) =>
              resolve(hostname, (error, addresses) => {
                const [first] = addresses
                if (error !== null || first === undefined) return callback(error ?? new AddressRefused(), "", 0)
                if (!addresses.every(({ address }) => isAllowed(address))) return callback(new AddressRefused(), "", 0)
                return options.all === true
                  ? callback(null, [...addresses])
                  : callback(null, first.address, first.family)
              })
          },
          headersTimeout: 15_000,
          bodyTimeout: 15_000
        })
    ),
    (agent) => Effect.promise(() => agent.destroy())
  )
