import type { IncomingMessage } from "node:http"
import { isIP } from "node:net"
import ipaddr from "ipaddr.js"

type Address = ipaddr.IPv4 | ipaddr.IPv6

/** A network of IP addresses: one address, and the length of the prefix. */
export type Network = readonly [address: Address, bits: number]

// An IPv4 address that is mapped into IPv6 becomes IPv4.
const parseAddress = (text: string): Address | undefined => (isIP(text) === 0 ? undefined : ipaddr.process(text))

/** Parses a network (`10.0.0.0/8`) or an address. Returns undefined if the text is neither. */
export const networkOf = (text: string): Network | undefined => {
  const [address = "", prefix, ...more] = text.split("/")
  const parsedAddress = parseAddress(address)
  if (parsedAddress === undefined || more.length > 0) return undefined
  const bits = parsedAddress.kind() === "ipv4" ? 32 : 128
  if (prefix === undefined) return [parsedAddress, bits]
  return /^\d{1,3}$/.test(prefix) && Number(prefix) <= bits ? [parsedAddress, Number(prefix)] : undefined
}

const isIn = (address: Address, [network, bits]: Network): boolean => {
  if (address instanceof ipaddr.IPv4) return network instanceof ipaddr.IPv4 && address.match(network, bits)
  return network instanceof ipaddr.IPv6 && address.match(network, bits)
}

// An IPv6 address is named by its /64, because its owner has all addresses of that.
const nameOf = (address: Address): string =>
  address instanceof ipaddr.IPv4
    ? address.toString()
    : `${address.parts
        .slice(0, 4)
        .map((part) => part.toString(16))
        .join(":")}::/64`

const unknown = "unknown"

// Removes the port, which a proxy may have added.
const withoutPort = (hop: string): string =>
  /^\[([^\]]*)\](?::\d+)?$|^([\d.]+):\d+$/.exec(hop)?.slice(1).join("") ?? hop

const hopsOf = ({ headers }: IncomingMessage): ReadonlyArray<string> => {
  const header = headers["x-forwarded-for"]
  return header === undefined ? [] : String(header).split(",")
}

/**
 * Makes the functions that find the addresses of callers without credentials. An IPv6 address is represented by its /64. Of
 * `X-Forwarded-For` only the part that trusted proxies wrote counts.
 */
export const makeClientAddresses = (trustedProxies: ReadonlyArray<Network>) => {
  const isTrusted = (address: Address) => trustedProxies.some((network) => isIn(address, network))

  const ofConnection = (remoteAddress: string | undefined) => {
    const address = parseAddress(remoteAddress ?? "")
    if (address === undefined) return unknown
    return isTrusted(address) ? undefined : nameOf(address)
  }

  // The nearest hop is the last one. A trusted proxy writes only addresses.
  const addressOf = (request: IncomingMessage): Address | undefined => {
    let nearest = parseAddress(request.socket.remoteAddress ?? "")
    if (nearest === undefined || !isTrusted(nearest)) return nearest
    for (const hop of hopsOf(request).toReversed()) {
      const address = parseAddress(withoutPort(hop.trim()))
      if (address === undefined) break
      nearest = address
      if (!isTrusted(address)) break
    }
    return nearest
  }

  return {
    /** Returns the address of the peer of a connection, or undefined if the peer is a trusted proxy. */
    ofConnection,
    /** Returns the address of the caller: behind trusted proxies, the last address that is not one of them. */
    ofRequest: (request: IncomingMessage): string => {
      const address = addressOf(request)
      return address === undefined ? unknown : nameOf(address)
    },
    /** Returns the same address in full if it is in none of the networks, otherwise undefined. */
    outside: (request: IncomingMessage, networks: ReadonlyArray<Network>): string | undefined => {
      const address = addressOf(request)
      if (address === undefined) return unknown
      return networks.some((network) => isIn(address, network)) ? undefined : address.toString()
    }
  }
}
