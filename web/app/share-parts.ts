/**
 * What both pages of shares need, imported for its place alone: the bundler then puts it into the first script, where it would else make ten files of it,
 * most of them smaller than the headers that they come with.
 */
import "#contract/endpoint";
import "#contract/fields";
import "#contract/listing";
import "../api/links.ts";
import "../lib/code.ts";
import "../ui/copy-button.tsx";
import "../ui/share-gate/content-focus.ts";
import "../ui/share-gate/ask-card.tsx";
import "../ui/share-gate/closed-cards.tsx";
import "../ui/share-gate/fact-line.tsx";
import "../ui/share-gate/facts.tsx";
import "../ui/share-gate/opening.ts";
import "../ui/share-result/link-qr.tsx";
