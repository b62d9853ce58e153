/* batch/shell_words.c - split the text of an option into words, as a shell does. */
#include "batch/batch.h"

#include <string.h>

int cli_batch_split_words(char *text, char **words)
{
    int count = 0;
    char *to = text;
    for (const char *at = text; *at;) {
        while (*at && strchr(" \t\n", *at))
            at++;
        if (!*at)
            break;
        char quote = '\0';
        words[count++] = to;
        for (; *at && (quote || !strchr(" \t\n", *at)); at++) {
            if (*at == quote)
                quote = '\0';
            else if (!quote && (*at == '\'' || *at == '"'))
                quote = *at;
            else if (*at == '\\' && at[1] && quote != '\'')
                *to++ = *++at;
            else
                *to++ = *at;
        }
        if (quote)
            return -1;
        at += *at != '\0';
        *to++ = '\0';
    }
    return count;
}
