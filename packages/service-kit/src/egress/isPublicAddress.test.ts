import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { isLoopbackAddress, isPublicAddress } from "./isPublicAddress.ts"

// The first and last address of each range with a special purpose at IANA, of multicast, and of unallocated ranges.
const specialRanges = {
  "this network": ["0.0.0.0", "0.255.255.255"],
  private: ["10.0.0.0", "10.255.255.255", "172.16.0.0", "172.31.255.255", "192.168.0.0", "192.168.255.255"],
  "shared address space": ["100.64.0.0", "100.127.255.255"],
  loopback: ["127.0.0.0", "127.255.255.255"],
  "link local": ["169.254.0.0", "169.254.255.255"],
  "protocol assignments": ["192.0.0.0", "192.0.0.255"],
  documentation: ["192.0.2.0", "192.0.2.255", "198.51.100.0", "198.51.100.255", "203.0.113.0", "203.0.113.255"],
  AS112: ["192.31.196.0", "192.31.196.255", "192.175.48.0", "192.175.48.255"],
  AMT: ["192.52.193.0", "192.52.193.255"],
  "6to4 relays": ["192.88.99.0", "192.88.99.255"],
  benchmarking: ["198.18.0.0", "198.19.255.255"],
  multicast: ["224.0.0.0", "239.255.255.255"],
  reserved: ["240.0.0.0", "255.255.255.254"],
  broadcast: ["255.255.255.255"],
  "unspecified, IPv6": ["::"],
  "loopback, IPv6": ["::1"],
  "IPv4-compatible": ["::7f00:1", "::127.0.0.1", "::8.8.8.8", "0:0:0:0:0:0:8.8.8.8", "::a00:1"],
  "IPv4-translated": ["::ffff:0:0:0", "::ffff:0:8.8.8.8"],
  "IPv4 and IPv6 translation": ["64:ff9b::", "64:ff9b::8.8.8.8", "64:ff9b:1::", "64:ff9b:1:ffff:ffff:ffff:ffff:ffff"],
  "discard only": ["100::", "100::ffff:ffff:ffff:ffff"],
  "dummy prefix": ["100:0:0:1::", "100:0:0:1:ffff:ffff:ffff:ffff"],
  Teredo: ["2001::", "2001:0:ffff:ffff:ffff:ffff:ffff:ffff"],
  "anycast of protocols": ["2001:1::1", "2001:1::2", "2001:1::3"],
  "benchmarking, IPv6": ["2001:2::", "2001:2:0:ffff:ffff:ffff:ffff:ffff"],
  "AMT, IPv6": ["2001:3::", "2001:3:ffff:ffff:ffff:ffff:ffff:ffff"],
  "AS112, IPv6": ["2001:4:112::", "2001:4:112:ffff:ffff:ffff:ffff:ffff", "2620:4f:8000::", "2620:4f:8000::1"],
  ORCHID: ["2001:10::", "2001:1f:ffff::", "2001:20::", "2001:2f:ffff::"],
  "drone identifiers": ["2001:30::", "2001:3f:ffff::"],
  "protocol assignments, IPv6": ["2001:40::", "2001:1ff:ffff:ffff:ffff:ffff:ffff:ffff"],
  "documentation, IPv6": ["2001:db8::", "2001:db8:ffff::1", "3fff::", "3fff:fff:ffff:ffff:ffff:ffff:ffff:ffff"],
  "6to4": ["2002::", "2002:7f00:1::", "2002:a00:1::", "2002:808:808::1"],
  "not handed out": ["200::1", "1fff:ffff::1", "4000::", "4000::1", "8000::1", "c000::1", "e000::1"],
  "segment routing": ["5f00::", "5f00:ffff::1"],
  "unique local": ["fc00::", "fd00::1", "fdff:ffff:ffff:ffff:ffff:ffff:ffff:ffff"],
  "link and site local, IPv6": ["fe80::1", "febf::1", "fec0::1"],
  "multicast, IPv6": ["ff00::", "ff02::1", "ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff"],
  "metadata of cloud providers": [
    "169.254.169.254",
    "169.254.170.2",
    "100.100.100.200",
    "168.63.129.16",
    "192.0.0.192",
    "fd00:ec2::254",
    "fd20:ce::254"
  ],
  "no address": ["", "x", "1.2.3.4.5", "::g", "a.example"]
}

const neighbours =
  "1.0.0.0 9.255.255.255 11.0.0.0 100.63.255.255 100.128.0.0 126.255.255.255 128.0.0.0 169.253.255.255" +
  " 172.32.0.0 192.0.1.0 192.167.255.255 192.169.0.0 198.17.255.255 198.20.0.0 223.255.255.255 168.63.129.15 8.8.8.8"

describe("isPublicAddress", () => {
  for (const [name, addresses] of Object.entries(specialRanges)) {
    it(`no address of "${name}" is public, also mapped into IPv6`, () => {
      for (const address of addresses) {
        assert.isFalse(isPublicAddress(address), address)
        assert.isFalse(isPublicAddress(`::ffff:${address}`), `::ffff:${address}`)
      }
    })
  }

  it("the addresses beside the special ranges are public, also mapped into IPv6", () => {
    for (const address of neighbours.split(" ")) {
      assert.isTrue(isPublicAddress(address), address)
      assert.isTrue(isPublicAddress(`::ffff:${address}`), `::ffff:${address}`)
    }
    for (const address of ["2000::1", "2001:200::1", "2001:db7::1", "2003::1", "2606:4700:4700::1111", "3ffe::1"]) {
      assert.isTrue(isPublicAddress(address), address)
    }
  })

  it("no IPv6 address outside 2000::/3 is public", () => {
    const group = fc.integer({ min: 0, max: 0xffff })
    const outside = fc.oneof(fc.integer({ min: 0x100, max: 0x1fff }), fc.integer({ min: 0x4000, max: 0xffff }))
    fc.assert(
      fc.property(outside, fc.array(group, { minLength: 7, maxLength: 7 }), (first, others) => {
        assert.isFalse(isPublicAddress([first, ...others].map((part) => part.toString(16)).join(":")))
      })
    )
  })

  it("only 127.0.0.0/8 and ::1 are this machine", () => {
    for (const address of ["127.0.0.1", "127.255.255.255", "::1", "::ffff:127.0.0.1"]) {
      assert.isTrue(isLoopbackAddress(address), address)
    }
    for (const address of ["::7f00:1", "128.0.0.1", "10.0.0.1", "::2", "x"]) {
      assert.isFalse(isLoopbackAddress(address), address)
    }
  })
})
