import { FileTrigger } from "react-aria-components"
import { Button } from "../../../ui/Button.tsx"

interface FilePickerProps {
  readonly files: ReadonlyArray<File>
  readonly onChange: (files: ReadonlyArray<File>) => void
}

/** Chooses files to send, and lists them. */
export const FilePicker = ({ files, onChange }: FilePickerProps) => (
  <div className="flex flex-wrap items-center gap-2">
    <FileTrigger allowsMultiple onSelect={(chosen) => onChange([...files, ...Array.from(chosen ?? [])])}>
      <Button isSmall>Add files</Button>
    </FileTrigger>
    <ul className="contents">
      {files.map((file, index) => (
        <li key={index} className="flex min-w-0 items-center gap-1 rounded-full bg-raised px-2 text-sm">
          <span dir="auto" className="min-w-0 break-words">
            {file.name}
          </span>
          <Button
            look="quiet"
            isSmall
            aria-label={`Remove ${file.name}`}
            onPress={() => onChange(files.filter((other) => other !== file))}
          >
            ✕
          </Button>
        </li>
      ))}
    </ul>
  </div>
)
