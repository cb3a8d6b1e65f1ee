import { Schema } from "effect"
import { textUpTo } from "../http/Text.ts"

// A leading zero means octal numbers to some programs.
const octet = "(25[0-5]|2[0-4]\\d|1\\d\\d|[1-9]?\\d)"
const ipv4 = new RegExp(`^${octet}(\\.${octet}){3}$`)

// The parser of URLs reads an IPv6 address in brackets. One that contains an IPv4 address is written as such.
const isIpv6 = (address: string): boolean =>
  /^[0-9a-f:]+$/i.test(address) && URL.canParse(`http://[${address}]/`) && !/^(0*:)+ffff:[^:]+:[^:]+$/i.test(address)

const isNetwork = (text: string): boolean => {
  const [address = "", prefix, ...more] = text.split("/")
  const bits = ipv4.test(address) ? 32 : isIpv6(address) ? 128 : 0
  return (
    bits > 0 &&
    more.length === 0 &&
    (prefix === undefined || (/^(0|[1-9]\d{0,2})$/.test(prefix) && Number(prefix) <= bits))
  )
}

/** A network of IP addresses, `10.0.0.0/8`, or one address, of IPv4 or IPv6. */
export const AllowedNetwork = textUpTo(64).check(
  Schema.makeFilter((text: string) =>
    isNetwork(text) ? undefined : "must be an IPv4 or IPv6 address or network, such as 192.0.2.0/24"
  )
)
