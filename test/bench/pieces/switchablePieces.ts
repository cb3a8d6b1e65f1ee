import type { BuildPlugin } from "@care/build"

/** Builds programs that read ten times a second from a file which pieces are off. */
export const switchablePieces = (file: string): BuildPlugin => ({
  name: "switchable pieces",
  transform: {
    filter: { id: /\/fast\/pieces\.ts$/ },
    handler: (code) => ({
      code: `import { readFileSync } from "node:fs"\n${code}
        setInterval(() => switchOff(JSON.parse(readFileSync(${JSON.stringify(file)}, "utf8"))), 100).unref()`,
      map: null
    })
  }
})
