import { Fragment } from "react"

/** An address, path or code, which breaks after its separators, and within a word only if that is longer than the line. */
export const Breakable = ({ text }: { readonly text: string }) => (
  <span className="[overflow-wrap:anywhere]">
    {[...text.matchAll(/[^/?&=_]*[/?&=_]+|[^/?&=_]+$/gu)].map(({ 0: part, index }) => (
      <Fragment key={index}>
        {part}
        <wbr />
      </Fragment>
    ))}
  </span>
)
