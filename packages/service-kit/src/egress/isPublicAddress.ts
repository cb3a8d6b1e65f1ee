import ipaddr from "ipaddr.js"

const globalUnicast = ipaddr.IPv6.parse("2000::")

// The other providers keep the metadata of their machines at private, link-local or shared addresses.
const azureMetadata = "168.63.129.16"

// The deprecated form of an IPv4-compatible address, which `ipaddr.js` reads as if it were a mapped one.
const ipv4Compatible = /^::\d+\./

/**
 * Returns whether an IP address is public: in no range with a special purpose at IANA, which `ipaddr.js` knows by name, and for IPv6 in
 * 2000::/3. An IPv4 address that is mapped into IPv6 is judged as IPv4.
 */
export const isPublicAddress = (text: string): boolean => {
  if (!ipaddr.isValid(text) || ipv4Compatible.test(text)) return false
  const address = ipaddr.process(text)
  if (address instanceof ipaddr.IPv6 && !address.match(globalUnicast, 3)) return false
  return address.range() === "unicast" && address.toString() !== azureMetadata
}

export const isLoopbackAddress = (address: string): boolean =>
  ipaddr.isValid(address) && ipaddr.process(address).range() === "loopback"
