import type { IncomingMessage } from "node:http"
import { isIP } from "node:net"
import ipaddr from "ipaddr.js"

type Address = ipaddr.IPv4 | ipaddr.IPv6

/** A network of IP addresses: one of them, and how many of its bits all have. */
export type Network = readonly [address: Address, bits: number]

// An IPv4 address that is mapped into IPv6 is what it is.
const parsed = (text: string): Address | undefined => (isIP(text) === 0 ? undefined : ipaddr.process(text))

/** The network that a text names, `10.0.0.0/8` or one address; undefined when it names none. */
export const networkOf = (text: string): Network | undefined => {
  const [address = "", prefix, ...more] = text.split("/")
  const parsedAddress = parsed(address)
  if (parsedAddress === undefined || more.length > 0) return undefined
  const bits = parsedAddress.kind() === "ipv4" ? 32 : 128
  if (prefix === undefined) return [parsedAddress, bits]
  return /^\d{1,3}$/.test(prefix) && Number(prefix) <= bits ? [parsedAddress, Number(prefix)] : undefined
}

const isIn = (address: Address, [network, bits]: Network): boolean => {
  if (address instanceof ipaddr.IPv4) return network instanceof ipaddr.IPv4 && address.match(network, bits)
  return network instanceof ipaddr.IPv6 && address.match(network, bits)
}

// Whoever has one IPv6 address has the other addresses of its /64, too.
const nameOf = (address: Address): string =>
  address instanceof ipaddr.IPv4
    ? address.toString()
    : `${address.parts
        .slice(0, 4)
        .map((part) => part.toString(16))
        .join(":")}::/64`

const unknown = "unknown"

// A proxy may add the port that it was called from.
const withoutPort = (hop: string): string =>
  /^\[([^\]]*)\](?::\d+)?$|^([\d.]+):\d+$/.exec(hop)?.slice(1).join("") ?? hop

const hopsOf = ({ headers }: IncomingMessage): ReadonlyArray<string> => {
  const given = headers["x-forwarded-for"]
  return given === undefined ? [] : String(given).split(",")
}

/** The network addresses by which callers count who cannot be told apart otherwise. Of IPv6 an address is its /64. */
interface ClientAddresses {
  /** The address at the other end of a connection; undefined when a trusted proxy is there. */
  readonly ofConnection: (remoteAddress: string | undefined) => string | undefined
  /** The address that a request comes from: behind trusted proxies the last one that is none of them. */
  readonly of: (request: IncomingMessage) => string
}

/** Finds the addresses of callers. The header `X-Forwarded-For` counts as far as trusted proxies have written it. */
export const makeClientAddresses = (trustedProxies: ReadonlyArray<Network>): ClientAddresses => {
  const isTrusted = (address: Address) => trustedProxies.some((network) => isIn(address, network))

  const ofConnection = (remoteAddress: string | undefined) => {
    const address = parsed(remoteAddress ?? "")
    if (address === undefined) return unknown
    return isTrusted(address) ? undefined : nameOf(address)
  }

  // The nearest hop is the last one. What is no address was written by nobody who is trusted.
  const behindProxy = (request: IncomingMessage): string => {
    let nearest = parsed(request.socket.remoteAddress ?? "")
    for (const hop of hopsOf(request).toReversed()) {
      const address = parsed(withoutPort(hop.trim()))
      if (address === undefined) break
      nearest = address
      if (!isTrusted(address)) break
    }
    return nearest === undefined ? unknown : nameOf(nearest)
  }

  return { ofConnection, of: (request) => ofConnection(request.socket.remoteAddress) ?? behindProxy(request) }
}
