/** The demo organization of a suite that `start` runs on this machine, and its sandbox. */
export interface DemoValues {
  readonly apiKey: string
  readonly productId: string
  readonly testApiKey: string
  readonly testProductId: string
}

/** Reads the demo keys. Only a gateway that `start` runs has one. */
export const readDemo = async (): Promise<DemoValues | undefined> => {
  if (!/^(localhost|127\.0\.0\.1|\[::1\])$/.test(location.hostname)) return undefined
  const answer = await fetch("/docs/demo.json").catch(() => undefined)
  // Reads the body of a refusal, too: the request lasts until then.
  const text = (await answer?.text()) ?? ""
  return answer?.ok ? JSON.parse(text) : undefined
}

// A guide says beside the placeholders whether it is about the sandbox.
const valuesFor = (code: string, demo: DemoValues) =>
  code.includes("testApiKey in")
    ? { key: demo.testApiKey, product: demo.testProductId }
    : { key: demo.apiKey, product: demo.productId }

const ownPort = Number(location.port)

/** Replaces the placeholders in the code of the page by the values of the reader: the address of the gateway, and the demo key. */
export const fillDemo = (demo: DemoValues | undefined): void => {
  for (const code of document.querySelectorAll("code")) {
    const values = demo && valuesFor(code.textContent ?? "", demo)
    const walker = document.createTreeWalker(code, NodeFilter.SHOW_TEXT)
    const texts: Array<Text> = []
    while (walker.nextNode()) if (walker.currentNode instanceof Text) texts.push(walker.currentNode)
    for (const [index, text] of texts.entries()) {
      const next = texts[index + 1]
      text.data = text.data.replaceAll("http://localhost:8080", location.origin)
      if (values === undefined) continue
      // The stand-ins are at fixed distances from the gateway.
      text.data = text.data.replaceAll(/localhost:(80\d\d)/g, (_, port) => `localhost:${ownPort + Number(port) - 8080}`)
      const before = texts
        .slice(Math.max(0, index - 3), index)
        .map(({ data }) => data)
        .join("")
      const name = /(?:^|\n)\s*(KEY|PRODUCT)=$/.exec(before)?.[1]
      if (name !== undefined && text.data.startsWith("...")) {
        text.data = text.data.replace("...", name === "KEY" ? values.key : values.product)
      } else if (next === undefined || text.data.includes("=...")) {
        text.data = text.data
          .replace(/(^|\n)KEY=\.\.\./, `$1KEY=${values.key}`)
          .replace(/(^|\n)PRODUCT=\.\.\./, `$1PRODUCT=${values.product}`)
      }
    }
  }
}
