import File from "lucide-react/icons/file";
import FileArchive from "lucide-react/icons/file-archive";
import FileImage from "lucide-react/icons/file-image";
import FileMusic from "lucide-react/icons/file-music";
import FilePlay from "lucide-react/icons/file-play";
import FileSpreadsheet from "lucide-react/icons/file-spreadsheet";
import FileText from "lucide-react/icons/file-text";
import type { FileType } from "#contract/files";

const icons: { readonly [Type in FileType]?: typeof File } = {
  video: FilePlay,
  audio: FileMusic,
  image: FileImage,
  text: FileText,
  office: FileText,
  document: FileText,
};

const archive = /\.(zip|rar|7z|tar|gz|tgz|bz2|xz|zst)$/i;
const table = /\.(xlsx?|ods|csv)$/i;

interface FileIconProps {
  readonly type: FileType;
  readonly filename: string;
  readonly className?: string;
}

/** A picture of what kind of file it is; decoration only. */
export function FileIcon({ type, filename, className }: FileIconProps) {
  const Icon = table.test(filename) ? FileSpreadsheet : archive.test(filename) ? FileArchive : (icons[type] ?? File);
  return <Icon aria-hidden className={className} />;
}
